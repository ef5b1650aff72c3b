export { parseAddress } from '../model/address.js';
