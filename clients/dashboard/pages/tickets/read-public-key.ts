/** Secret members of a JSON Web Key (RFC 7517 and 7518). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

type PublicKeyText = { readonly key: Readonly<Record<string, unknown>> } | { readonly mistake: string };

/** Parses a pasted public JSON Web Key. A key with secret members must not leave the browser. */
export function readPublicKey(text: string): PublicKeyText {
  const key = parse(text);
  if (typeof key !== 'object' || key === null || !('kty' in key)) {
    return { mistake: 'This is not a JSON Web Key. It should be JSON like {"kty":"EC", … }.' };
  }
  if (secretMembers.some((member) => member in key)) {
    return {
      mistake: 'This key contains its private half. Paste only the public half, and keep the private half secret.',
    };
  }
  return { key: { ...key } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
