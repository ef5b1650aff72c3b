export { display, displayNamed } from '../model/values/display.js';
