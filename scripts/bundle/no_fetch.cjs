// Replaces undici's form data and streams in the bundle: bodies are texts here, and these are a fifth of undici.
exports.extractBody = () => {
  throw new Error('only texts are sent by this program');
};
