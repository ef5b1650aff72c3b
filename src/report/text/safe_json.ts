/** Characters that JSON does not escape, but terminals and line readers interpret. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A value as JSON on one line. */
export function safeJson(value: unknown): string {
  return safeText(JSON.stringify(value));
}

/** JSON with unsafe characters escaped. */
export function safeText(json: string): string {
  return json.replace(UNSAFE, (one) => String.raw`\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
