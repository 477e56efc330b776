import type { Method } from './method-of.ts';

/** Whether a whitelist includes a method: by its signature, or by its name, which includes every overload. */
export function isWhitelisted(whitelist: readonly string[], { name, signature }: Method): boolean {
  return whitelist.includes(signature) || whitelist.includes(name);
}
