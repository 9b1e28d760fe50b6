import { useUserFolder } from './runFolder';

useUserFolder();
