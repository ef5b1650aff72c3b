/** What a failed command said, or why something could not be read. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = 'stderr' in error && Buffer.isBuffer(error.stderr) ? error.stderr.toString().trim() : '';
  const status = 'status' in error && typeof error.status === 'number' ? `exit code ${error.status}` : error.message;
  return said === '' ? status : `${status}: ${said}`;
}
