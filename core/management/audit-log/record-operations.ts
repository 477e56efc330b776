import { carryOut } from '../../domain/access/actor.ts';
import { NotStandingError } from './audited-store.ts';
import { auditOf } from './operation-audits.ts';

type Operation = (...input: readonly unknown[]) => Promise<unknown>;

/**
 * The same operations, each announced to the {@link auditedStore} while it runs. Refused if the author may not make the
 * change.
 */
export function recordOperations<Operations extends object>(operations: Operations): Operations {
  const recorded = Object.entries(operations as Readonly<Record<string, Operation>>).map(([name, perform]) => {
    return [name, auditOf(name) === undefined ? perform : recordOne(name, perform)];
  });
  // Each name has an operation with the same input and result.
  return Object.fromEntries(recorded) as Operations;
}

function recordOne(name: string, perform: Operation): Operation {
  return async (...input) => {
    try {
      return await carryOut({ name, input: input[0] }, () => perform(...input));
    } catch (cause) {
      if (cause instanceof NotStandingError) return { ok: false, refusal: cause.refusal };
      throw cause;
    }
  };
}
