import type { Secret } from './secret.ts';

/** Where the durable state is: a local file, or a PostgreSQL server, whose URL may contain a password. */
export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: Secret<string> };
