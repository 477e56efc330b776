import type { Kysely } from 'kysely';
import type { Address } from 'viem';
import { methodArguments } from '../../evm/abi/method-arguments.ts';
import { parseAbi } from '../../evm/abi/parse-abi.ts';
import type { RuledContracts } from '../../policies/call-rules/read-call-rules.ts';
import type { Database } from '../../store/database.ts';

/** The paymaster's contracts that rules or limits name, with what these are read for. */
export async function readRuledContracts(
  db: Kysely<Database>,
  paymasterId: string,
  rules: readonly { readonly contract?: Address }[],
): Promise<RuledContracts> {
  const addresses = [...new Set(rules.flatMap(({ contract }) => contract?.toLowerCase() ?? []))];
  if (addresses.length === 0) return new Map();
  const rows = await db
    .selectFrom('contracts')
    .select(['address', 'abi'])
    .where('paymaster_id', '=', paymasterId)
    .where('address', 'in', addresses)
    .execute();
  return new Map(
    rows.map((row) => {
      const argumentsOf = methodArguments(row.abi);
      const functions = parseAbi(row.abi); // checked when it was registered
      const methods = (functions.ok ? functions.value : []).map((method) => ({
        ...method,
        readParameters: () => argumentsOf(method.signature),
      }));
      return [row.address, methods];
    }),
  );
}
