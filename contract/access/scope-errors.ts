import type { ErrorAnswer } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import type { Scope } from './scope.ts';

/** The answers for a call whose credential lacks a scope. */
export const scopeErrors: Readonly<Record<Scope, ErrorAnswer>> = {
  read: managementErrors.scopeReadMissing,
  manage: managementErrors.scopeManageMissing,
  funds: managementErrors.scopeFundsMissing,
};
