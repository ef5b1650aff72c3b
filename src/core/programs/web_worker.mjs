import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import net, { isIP } from 'node:net';
import tls from 'node:tls';
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
  if (job.session === undefined) return answered(job, signal);
  const { login, logout, body } = job.session;
  const headers = { ...job.headers, 'content-type': 'application/json' };
  const post = { ...job, method: 'POST' };
  const signedIn = await answered({ ...post, url: login, headers, body }, signal);
  if (signedIn.status !== 200) return { ...signedIn, isSignIn: true };
  const cookies = signedIn.cookies.map((one) => one.split(';', 1)[0]);
  const cookie = cookies.join('; ');
  const answer = await answered({ ...job, headers: { ...job.headers, cookie } }, signal);
  const token = cookies.find((one) => one.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
  const own = { ...headers, cookie, 'x-csrftoken': token, referer: new URL(logout).origin };
  // The controller ends a session that is not used.
  await answered({ ...post, url: logout, headers: own, body: '{}' }, signal).catch(() => undefined);
  return answer;
}

async function answered(job, signal) {
  const response = await sent(await prepared(job, signal), job.body);
  const {
    statusCode: status,
    statusMessage: reason,
    headers: { location, 'set-cookie': cookies = [] },
  } = response;
  const chunks = [];
  let size = 0;
  if ((status >= 200 && status < 300) || job.body !== undefined)
    for await (const chunk of response) {
      size += chunk.length;
      if (size > job.most) throw Object.assign(new Error('too large'), { code: 'TOO_LARGE' });
      chunks.push(chunk);
    }
  response.destroy();
  return { type: 'answer', status, reason, location, cookies, body: Buffer.concat(chunks) };
}

function sent(request, body) {
  return new Promise((resolve, reject) => {
    request.on('response', resolve).on('error', reject).end(body);
  });
}

async function prepared({ url, method, headers, ca, proxies, timeout, insecure }, signal) {
  const rejectUnauthorized = insecure !== true;
  const to = new URL(url);
  const isSecure = to.protocol === 'https:';
  const options = { method, headers, signal };
  if (proxies.length === 0)
    return isSecure
      ? https.request(to, { ...options, agent: false, ca, rejectUnauthorized })
      : http.request(to, { ...options, agent: false });
  const { via, socket } = await through(proxies, to, signal, timeout);
  if (!isSecure) {
    const createConnection = () => socket;
    if (isSocks(via)) return http.request(to, { ...options, createConnection });
    const own = { ...headers, host: to.host, ...credentials(via) };
    return http.request({ host: bare(via), method, signal, path: url, headers: own, createConnection });
  }
  const host = bare(to);
  const servername = isIP(host) ? '' : host;
  const createConnection = () => tls.connect({ socket, host, servername, ca, rejectUnauthorized });
  return https.request(to, { ...options, createConnection });
}

/** A connection through the first proxy that opens one. An HTTP proxy is sent plain requests without a tunnel. */
async function through(proxies, to, signal, timeout) {
  const failures = [];
  for (const proxy of proxies) {
    const via = new URL(proxy);
    try {
      const socket = await connected(via, signal);
      try {
        if (isSocks(via)) await socksTunnel(socket, via, to, timeout);
        else if (to.protocol === 'https:') await httpTunnel(socket, via, to, signal);
        return { via, socket };
      } catch (error) {
        socket.destroy();
        throw error;
      }
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(
        'the proxy ' + bare(via) + ':' + portFrom(via) + ' ' + (PHRASES[error.code] ?? 'says: ' + error.message),
      );
    }
  }
  throw Object.assign(new Error(failures.join(', ')), { code: 'PROXY' });
}

const PHRASES = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'is not known by that name',
  SILENT: 'does not answer',
};
const SILENCE_MS = 5000;

function connected(via, signal) {
  return new Promise((resolve, reject) => {
    const host = bare(via);
    const isSecure = via.protocol === 'https:';
    const options = { host, port: portFrom(via), ...(isSecure && isIP(host) === 0 && { servername: host }) };
    const socket = isSecure ? tls.connect(options) : net.connect(options);
    const silent = Object.assign(new Error(), { code: 'SILENT' });
    const timer = setTimeout(() => socket.destroy(silent), SILENCE_MS);
    const end = () => socket.destroy(silent);
    signal.addEventListener('abort', end);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    });
    socket.on('error', reject);
  });
}

async function socksTunnel(socket, via, to, timeout) {
  const { SocksClient } = await import('socks');
  const port = Number(to.port || (to.protocol === 'https:' ? 443 : 80));
  const host = via.protocol === 'socks5:' ? (await lookup(bare(to))).address : bare(to);
  const [userId, password] = [decoded(via.username), decoded(via.password)];
  const proxy = { host: bare(via), port: portFrom(via), type: 5, ...(userId !== '' && { userId, password }) };
  await SocksClient.createConnection({
    proxy,
    command: 'connect',
    destination: { host, port },
    timeout,
    existing_socket: socket,
  });
}

function httpTunnel(socket, via, to, signal) {
  return new Promise((resolve, reject) => {
    const path = to.hostname + ':' + (to.port || 443);
    const headers = { host: path, ...credentials(via) };
    http
      .request({ host: bare(via), method: 'CONNECT', path, signal, headers, createConnection: () => socket })
      .on('connect', ({ statusCode }) => {
        if (statusCode === 200) resolve();
        else reject(new Error('answered ' + statusCode));
      })
      .on('error', reject)
      .end();
  });
}

function isSocks({ protocol }) {
  return protocol === 'socks5:' || protocol === 'socks5h:';
}

function portFrom({ port, protocol }) {
  return Number(port) || { 'http:': 80, 'https:': 443 }[protocol] || 1080;
}

function bare({ hostname }) {
  return hostname.replace(/^\[|\]$/g, '');
}

/** As it is written if an escape in it is malformed. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function credentials({ username, password }) {
  if (username === '') return {};
  const text = decoded(username) + ':' + decoded(password);
  return { 'proxy-authorization': 'Basic ' + Buffer.from(text).toString('base64') };
}
