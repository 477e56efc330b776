/** Any address of a server, up to what cannot be part of it in a text or in JSON. */
const addresses = /\b(?:https?|wss?):\/\/[^\s"'<>\\]+/gi;
/** Shorter parts of an address, and plain words, are no keys. */
const keyLike = (part: string) => part.length >= 8 && !/^[a-z]+$/i.test(part);

export type HiddenAddress = {
  /** The text without addresses of servers, and without what may be a key in this one. */
  hide(text: string): string;
  /** Whether the text holds what may be a key in the address. */
  shows(text: string): boolean;
};

/** The text itself where it is not encoded as addresses are. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Keeps a bundler's address, which may hold a key, from those who read what the bundler says. */
export function hideAddress(url: string): HiddenAddress {
  const { username, password, pathname, searchParams } = new URL(url);
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()];
  const secrets = [...new Set(parts.flatMap((part) => [part, decoded(part)]))].filter(keyLike);
  return {
    hide: (text) =>
      secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), text.replace(addresses, '[hidden]')),
    shows: (text) => secrets.some((secret) => text.includes(secret)),
  };
}
