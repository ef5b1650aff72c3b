/** Node writes its warnings, such as those about too many listeners, to the user's stderr: one fails the test in which it comes. */
const warnings: Error[] = [];

process.on('warning', (warning) => warnings.push(warning));

export const mochaHooks = {
  afterEach(): void {
    const [first] = warnings.splice(0);
    if (first !== undefined) throw first;
  },
};
