// Loaded into a measured process before its program: writes what it cost to METER_FILE when it ends.
const fs = require('node:fs');
const diagnostics = require('node:diagnostics_channel');
const { monitorEventLoopDelay } = require('node:perf_hooks');

const RESOLUTION = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });

// Loading a program blocks the event loop too, but no client waits then: measured from the first connection on.
const begin = () => {
  diagnostics.unsubscribe('undici:client:connected', begin);
  delay.enable();
};
diagnostics.subscribe('undici:client:connected', begin);

process.once('exit', () => {
  delay.disable();
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const blocked = delay.count === 0 ? 0 : Math.max(0, delay.max / 1e6 - RESOLUTION);
  const cost = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024, blockedMs: blocked };
  fs.writeFileSync(process.env.METER_FILE, JSON.stringify(cost));
});
