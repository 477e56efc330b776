/** URL segments and values of at least this length may be keys. */
const minKeyLength = 12;
const hidden = '[hidden]';

/**
 * Removes URLs, and possible keys in them, from an error and its causes: viem writes the URL into its errors, which end up
 * in logs and on pages. The error object stays the same.
 */
export function hideUrls(error: unknown, urls: readonly string[]): void {
  const secrets = [...new Set(urls.flatMap(secretsOf))].sort((one, other) => other.length - one.length);
  const hide = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, hidden), text);
  const seen = new Set<Error>();

  // Only texts of errors: other references may lead to the page's own account and client.
  function visit(value: unknown): void {
    if (!(value instanceof Error) || seen.has(value)) return;
    seen.add(value);
    for (const key of new Set([...Object.getOwnPropertyNames(value), 'message', 'stack'])) {
      const found = read(value, key);
      if (typeof found === 'string' && hide(found) !== found) overwrite(value, key, hide(found));
      else if (isTexts(found)) overwrite(value, key, found.map(hide));
      else for (const inner of Array.isArray(found) ? found : [found]) visit(inner);
    }
  }
  visit(error);
}

function secretsOf(text: string): readonly string[] {
  if (!URL.canParse(text)) return [text];
  const url = new URL(text);
  const parts = [...url.pathname.split('/'), ...url.searchParams.values(), url.username, url.password];
  return [
    text,
    url.href,
    ...parts.flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= minKeyLength),
  ];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

/** A third party's getter may throw. */
function read(holder: object, key: string): unknown {
  try {
    return Reflect.get(holder, key);
  } catch {
    return undefined;
  }
}

/**
 * Makes the text a plain property of the error: in some engines `stack` is an accessor of the error (V8 in Node.js 24) or of
 * its prototype (Firefox). A sealed error in Node.js 24 has only its setter. A frozen error may stay as it is.
 */
function overwrite(holder: object, key: string, value: string | readonly string[]): void {
  if (!Reflect.defineProperty(holder, key, { value, writable: true })) Reflect.set(holder, key, value);
}
