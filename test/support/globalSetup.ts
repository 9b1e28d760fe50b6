export { makeRunFolder as default } from './runFolder';
