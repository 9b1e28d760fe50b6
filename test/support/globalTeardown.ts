import { checkMessages } from './messages';
import { removeRunFolder } from './runFolder';

export default function tearDown(): void {
	try {
		checkMessages();
	} finally {
		removeRunFolder();
	}
}
