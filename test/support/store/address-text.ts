import type { DatabaseAddress } from '../../../core/base/values/database-address.ts';
import { Secret } from '../../../core/base/values/secret.ts';

/** A database's address as an argument of a process. */
export function addressText(address: DatabaseAddress): string {
  return address.kind === 'sqlite' ? address.file : address.url.reveal();
}

export function readAddress(text: string): DatabaseAddress {
  return text.startsWith('postgres:') ? { kind: 'postgres', url: new Secret(text) } : { kind: 'sqlite', file: text };
}
