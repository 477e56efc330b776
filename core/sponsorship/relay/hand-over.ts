import type { Hex } from 'viem';
import type { RelayTerms } from '../../domain/chain-config.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import { userOperationHash } from '../../evm/entry-point/entry-points.ts';
import { toRpcOperation } from '../../evm/entry-point/rpc-operation.ts';
import { findAaCode } from '../../gas/failures/aa-codes.ts';
import type { WithGas } from '../gas/choose-gas.ts';
import type { Held } from '../hold/hold-worst-case.ts';
import type { Named } from '../hold/request-key.ts';
import type { Identified } from '../identify/identify.ts';
import { type Asked, notedIfRefused, type Step } from '../run/steps.ts';
import type { Relaying } from './price-relay.ts';

/** Names the operation by its hash, and writes it in the bundlers' form (ERC-7769). */
export const nameRelayed: Step<Identified & WithGas, Named> = ({ operation, contract, chain }) => {
  const { entryPoint, chainId } = contract.location;
  const hash = userOperationHash({ operation, paymasterAndData: '0x', entryPoint, chainId });
  const wire = toRpcOperation({ operation, paymasterAndData: '0x' }, chain.config.eip7702Marker ?? 'as-sent');
  return accept({ relayed: { userOperationHash: hash, operation: JSON.stringify(wire) } });
};

/** What was accepted, except its decision's id. */
export type UndecidedRelay = { readonly kind: 'relayed'; readonly userOperationHash: Hex };

/** Sends the operation to the bundler. It is stored already: in any case it is delivered or its hold is released. */
export const handOver: Step<Asked & Identified & Relaying & Held & Named, { readonly answer: UndecidedRelay }> =
  notedIfRefused(
    { rule: 'bundler', finding: ['bundler'] },
    async ({
      parts,
      chain,
      relay,
      contract,
      operation,
      holdId,
      relayed,
    }: Asked & Identified & Relaying & Held & Named) => {
      const { sender, nonce } = operation;
      const { chainId, address } = contract.location;
      const job = { userOperationHash: relayed.userOperationHash, chainId, contract: address, holdId, sender, nonce };
      const said = await parts.relays.handOver({ ...job, bundler: relay.bundler, client: chain.client });
      const { userOperationHash: hash } = relayed;
      if (said.kind === 'away') {
        return refuse({
          reason: 'BUNDLER_UNAVAILABLE',
          message:
            'The bundler cannot be reached or does not work, so the operation was not sent and nothing is held. Ask for paymaster data instead.',
        });
      }
      if (said.kind === 'taken') return accept({ answer: { kind: 'relayed' as const, userOperationHash: hash } });
      if (said.kind === 'refused') {
        const aaCode = findAaCode(said.message);
        return refuse({
          reason: 'BUNDLER_REFUSED',
          message: `The bundler does not accept the operation: ${said.message}`,
          details: { bundlerCode: String(said.code), ...(aaCode === undefined ? {} : { aaCode }) },
        });
      }
      return refuse({
        reason: 'BUNDLER_UNAVAILABLE',
        message: `The bundler did not answer. The operation ${hash} stays held and is sent to the bundler again. It may still land.`,
        details: { userOpHash: hash },
      });
    },
  );

/** The requirements for an operation to be relayed, except its decision's id. */
export type UndecidedTerms = { readonly kind: 'terms' } & Omit<RelayTerms, 'decisionId'>;

/** The limits with which it would be accepted now. */
export const answerTerms: Step<Asked & WithGas, { readonly answer: UndecidedTerms }> = ({ operation }) => {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation.gas;
  return accept({ answer: { kind: 'terms', callGasLimit, verificationGasLimit, preVerificationGas } });
};
