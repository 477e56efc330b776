import { userInfo } from 'node:os';
import { actAs } from '../../core/domain/access/actor.ts';

/** Runs work on behalf of the operator: the user of the machine at the command line. */
export function asOperator<T>(work: () => Promise<T>): Promise<T> {
  return actAs({ kind: 'operator', client: `command line of ${userName()}` }, work);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}
