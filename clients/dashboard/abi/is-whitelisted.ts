import type { Method } from './method-of.ts';

/** Whether a whitelist lets a method in: by its signature, or by its name, which stands for every overload. */
export function isWhitelisted(whitelist: readonly string[], { name, signature }: Method): boolean {
  return whitelist.includes(signature) || whitelist.includes(name);
}
