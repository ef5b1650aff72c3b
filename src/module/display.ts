export { display, displayNamed } from '../model/display.js';
