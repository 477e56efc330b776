const localHost = /^(?:localhost|127(?:\.\d{1,3}){3})$/;
/** A name with a dot, or an IPv4 address: the hosts that viem accepts in sign-in messages. */
const namedHost = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$|^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Whether browsers can use the dashboard there: an origin over https, or over http on this machine. */
export function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin, href, username, password } = new URL(text);
  const isOrigin = href === `${origin}/` && username === '' && password === '';
  const isLocal = localHost.test(hostname);
  if (protocol === 'http:') return isOrigin && isLocal;
  return protocol === 'https:' && isOrigin && (isLocal || namedHost.test(hostname));
}
