// Replaces `undici` in the bundle: the whole of it (fetch, WebSocket, caches, mocks) takes longer to start than all
// the rest of a short command, and of it only these are used. src/controller/transport/dispatchers.ts is the only importer.
exports.buildConnector = require('../node_modules/undici/lib/core/connect.js');
exports.Client = require('../node_modules/undici/lib/dispatcher/client.js');
exports.Pool = require('../node_modules/undici/lib/dispatcher/pool.js');
// Few need a proxy.
Object.defineProperty(exports, 'ProxyAgent', { enumerable: true, get: proxyAgent });

/** Dispatchers get their methods from undici's index; the agent calls this one. */
function proxyAgent() {
  const Dispatcher = require('../node_modules/undici/lib/dispatcher/dispatcher.js');
  Dispatcher.prototype.connect = require('../node_modules/undici/lib/api/api-connect.js');
  return require('../node_modules/undici/lib/dispatcher/proxy-agent.js');
}
