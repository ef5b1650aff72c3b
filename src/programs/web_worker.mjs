import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { workerData } from 'node:worker_threads';

// The thread of `web.ts`: sends one request after another.
const { port, flags } = workerData;
Atomics.store(flags, 2, 1);
port.on('message', async (job) => {
  const signal = AbortSignal.timeout(job.timeout);
  let message;
  try {
    message = await answerTo(job, signal);
  } catch (error) {
    message = { type: 'failure', code: signal.aborted ? 'TIMEOUT' : String(error.code ?? ''), message: error.message };
  }
  port.postMessage(message);
  Atomics.store(flags, 0, 1);
  Atomics.notify(flags, 0);
});

async function answerTo(job, signal) {
  const response = await sent(await prepared(job, signal));
  const {
    statusCode: status,
    statusMessage: reason,
    headers: { location },
  } = response;
  const chunks = [];
  let size = 0;
  if (status >= 200 && status < 300)
    for await (const chunk of response) {
      size += chunk.length;
      if (size > job.most) throw Object.assign(new Error('too large'), { code: 'TOO_LARGE' });
      chunks.push(chunk);
    }
  response.destroy();
  return { type: 'answer', status, reason, location, body: Buffer.concat(chunks) };
}

function sent(request) {
  return new Promise((resolve, reject) => {
    request.on('response', resolve).on('error', reject).end();
  });
}

async function prepared({ url, headers, ca, proxy }, signal) {
  const to = new URL(url);
  const isSecure = to.protocol === 'https:';
  const options = { headers, signal };
  if (proxy === undefined)
    return isSecure
      ? https.request(to, { ...options, agent: false, ca, rejectUnauthorized: true })
      : http.request(to, { ...options, agent: false });
  const via = new URL(proxy);
  if (!isSecure)
    return toProxy(via, { ...options, path: url, headers: { ...headers, host: to.host, ...credentials(via) } });
  const host = bare(to);
  const socket = await tunnel(via, to.hostname + ':' + (to.port || 443), signal);
  const servername = isIP(host) ? '' : host;
  const createConnection = () => connect({ socket, host, servername, ca, rejectUnauthorized: true });
  return https.request(to, { ...options, createConnection });
}

function tunnel(via, target, signal) {
  return new Promise((resolve, reject) => {
    const options = { method: 'CONNECT', path: target, signal, headers: { host: target, ...credentials(via) } };
    toProxy(via, options)
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(Object.assign(new Error('the proxy answered ' + statusCode), { code: 'PROXY' }));
      })
      .on('error', reject)
      .end();
  });
}

function toProxy(via, options) {
  const isSecure = via.protocol === 'https:';
  const address = { host: bare(via), port: via.port || (isSecure ? 443 : 80), agent: false };
  return (isSecure ? https : http).request({ ...address, rejectUnauthorized: true, ...options });
}

function bare({ hostname }) {
  return hostname.replace(/^\[|\]$/g, '');
}

function credentials({ username, password }) {
  if (username === '') return {};
  const text = decodeURIComponent(username) + ':' + decodeURIComponent(password);
  return { 'proxy-authorization': 'Basic ' + Buffer.from(text).toString('base64') };
}
