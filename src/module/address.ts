export { parseAddress, type Address } from '../model/address.js';
