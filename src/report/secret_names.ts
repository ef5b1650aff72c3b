export { isPluralOfSecret, isSecretName } from '../model/secret_names.js';

export const MASK = '********';
