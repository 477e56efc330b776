import { accept, type Result } from '../../domain/result/result.ts';
import type { AccountReading } from '../../node/account-codes/account-reading.ts';
import type { Identified } from '../request/identify.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';

/** Whose code runs for the sender, once the node has told. Never rejects. */
export type ReadingAccount = { readonly accountReading: Promise<Result<AccountReading>> };

/** Asks the node for the account's code while it is asked for gas: nobody waits for one after the other. */
export const beginReadingAccount: Step<Asked & Identified & ReadOperation, ReadingAccount> = ({
  chain,
  contract,
  operation,
}) => accept({ accountReading: chain.accountReader.read(operation, contract.place.entryPoint) });
