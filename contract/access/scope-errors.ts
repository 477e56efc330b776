import type { ErrorAnswer } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import type { Scope } from './scope.ts';

/** What a call is answered that lacks a scope. */
export const scopeErrors: Readonly<Record<Scope, ErrorAnswer>> = {
  read: managementErrors.scopeReadMissing,
  manage: managementErrors.scopeManageMissing,
  funds: managementErrors.scopeFundsMissing,
};
