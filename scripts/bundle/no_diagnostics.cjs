// Replaces undici's diagnostic channels in the bundle: nothing subscribes to them, and NODE_DEBUG=undici would print requests unmasked.
const unheard = { hasSubscribers: false };
exports.channels = Object.fromEntries(
  [
    ...['beforeConnect', 'connected', 'connectError', 'sendHeaders', 'create', 'bodySent'],
    ...['bodyChunkSent', 'bodyChunkReceived', 'headers', 'trailers', 'error'],
  ].map((name) => [name, unheard]),
);
