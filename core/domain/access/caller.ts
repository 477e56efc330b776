import { z } from 'zod';
import { address, chainId, message, optionalListOf, text, trueOrAbsent } from '../../base/message-schema.ts';
import { scopes } from './scope.ts';

/**
 * Who calls: an account, and the paymaster its apiKey names where the call carries one. With them what was shown: the
 * id of an authToken, or that of a session with the wallet that signed in for it.
 */
export const CallerSchema = message('Caller', {
  /** The account the authToken belongs to. */
  accountId: text,
  /** The paymaster the apiKey names. Absent when no apiKey was given. */
  paymasterId: text.exactOptional(),
  /** Id of the authToken that was shown. Absent: a session was, or it does not matter. */
  authTokenId: text.exactOptional(),
  /** Id of the session that was shown. Absent: an authToken was, or it does not matter. */
  sessionId: text.exactOptional(),
  /** Checksummed address of the wallet that signed in for the session. Absent: none did. */
  wallet: address.exactOptional(),
  /** The chain of that wallet if it is a contract (ERC-1271). */
  chainId: chainId.exactOptional(),
  /** What the call may: `read`, `manage`, `funds`. Absent: nothing. */
  scopes: optionalListOf(z.enum(scopes)),
  /** The call may see what only the operator of the service sees. */
  operator: trueOrAbsent,
});
export type Caller = z.output<typeof CallerSchema>;
