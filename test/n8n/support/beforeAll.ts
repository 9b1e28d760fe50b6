import { rmSync } from 'node:fs';

import { packPackage } from './packageUnderTest';
import { logFolder } from './processes';

/** Runs once, before all suites. */
export default function beforeAll(): void {
	rmSync(logFolder, { recursive: true, force: true });
	packPackage();
}
