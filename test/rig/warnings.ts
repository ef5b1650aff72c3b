/** Node writes its warnings, such as those about too many listeners, to the user's stderr: one fails the test in which it comes. */
const warnings: Error[] = [];

process.on('warning', (warning) => {
  // The user asked for this one.
  if (!warning.message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) warnings.push(warning);
});

export const mochaHooks = {
  afterEach(): void {
    const [first] = warnings.splice(0);
    if (first !== undefined) throw first;
  },
};
