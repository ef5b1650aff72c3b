// Replaces `node:http` in the bundle, which undici loads to know how long headers may be: that is Node's own, unless told.
const DEFAULT_BYTES = 16 * 1024;
const told = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((one) => one.includes('max-http-header-size'));

exports.maxHeaderSize = told ? require('node:http').maxHeaderSize : DEFAULT_BYTES;
/** Evenkeel never forwards a request that a Node server received. */
exports.IncomingMessage = class {};
