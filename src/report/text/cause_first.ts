const ANSWERED = /^([A-Z]+ \/\S*?):? (?:the controller )?answered (\d{3})(?:: (.+))?$/;
const ANYTHING = /^([A-Z]+ \/\S*?): (.+)$/;

/**
 * The message of a failed request with the cause before the request: `400 name is reserved (POST /api/cloud/)`. A narrow screen then cuts
 * off what matters least. Other messages stay as they are.
 */
export function causeFirst(message: string): string {
  const [first = '', ...more] = message.split('\n');
  return [firstLine(first), ...more].join('\n');
}

function firstLine(line: string): string {
  const answered = ANSWERED.exec(line);
  if (answered !== null) {
    const [, call = '', status = '', text] = answered;
    return `${status}${text === undefined ? '' : ` ${text}`} (${call})`;
  }
  const [, call, what = ''] = ANYTHING.exec(line) ?? [];
  return call === undefined ? line : `${what} (${call})`;
}
