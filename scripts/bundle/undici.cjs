// Replaces `undici` in the bundle: the whole of it (fetch, WebSocket, caches, mocks) takes longer to start than all
// the rest of a short command, and of it only these are used. Only src/controller/transport and src/controller/route
// import it.
exports.buildConnector = require('../../node_modules/undici/lib/core/connect.js');
exports.Client = require('../../node_modules/undici/lib/dispatcher/client.js');
exports.Pool = require('../../node_modules/undici/lib/dispatcher/pool.js');
