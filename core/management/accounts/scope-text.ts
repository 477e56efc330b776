import { type Scope, scopes } from '../../domain/access/scope.ts';

/** Scopes as they are stored. */
export function scopeText(some: readonly Scope[]): string {
  return scopes.filter((scope) => some.includes(scope)).join(' ');
}

/** Stored scopes. An unknown word grants nothing. */
export function readScopeText(text: string): readonly Scope[] {
  const words = text.split(' ');
  return scopes.filter((scope) => words.includes(scope));
}
