// Loaded into a measured process before its program: writes what it cost to METER_FILE when it ends.
const fs = require('node:fs');
const { Socket } = require('node:net');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const RESOLUTION = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });

// Loading a program blocks the event loop too, but no client waits then: measured from the first connection on.
Socket.prototype.connect = new Proxy(Reflect.get(Socket.prototype, 'connect'), {
  apply: (connect, socket, args) => {
    delay.enable();
    return Reflect.apply(connect, socket, args);
  },
});

process.once('exit', () => {
  delay.disable();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const blocked = delay.count === 0 ? 0 : Math.max(0, delay.max / 1e6 - RESOLUTION);
  const cost = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024, blockedMs: blocked };
  fs.writeFileSync(process.env.METER_FILE, JSON.stringify(cost));
});
