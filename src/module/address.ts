export { parseAddress } from '../model/inventory/address.js';
