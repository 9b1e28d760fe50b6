export { removeRunFolder as default } from './runFolder';
