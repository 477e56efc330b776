import { userInfo } from 'node:os';
import { actAs } from '../../core/domain/access/actor.ts';

/** Does something in the operator's name: the user of the machine at the command line. */
export function asOperator<T>(work: () => Promise<T>): Promise<T> {
  return actAs({ kind: 'operator', client: `command line of ${userName()}` }, work);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user need not have a name.
    return `user ${process.getuid?.() ?? 'without a name'}`;
  }
}
