// Replaces undici's HTTP/2 client in the bundle: requests to controllers use HTTP/1.1 (`allowH2` is off), and
// Node's HTTP/2 takes as long to load as a tenth of a short command.
module.exports = () => {
  throw new Error('HTTP/2 is not part of this program');
};
