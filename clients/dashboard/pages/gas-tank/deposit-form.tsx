import { useMutation } from '@tanstack/react-query';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { useState } from 'react';
import { type Address, type Hex, parseEther } from 'viem';
import { Facts } from '../../parts/facts.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { Short, Value } from '../../parts/value.tsx';
import { WalletList } from '../../wallet/wallet-list.tsx';
import { type Wallet, walletProblem } from '../../wallet/wallets.ts';

type DepositFormProps = {
  readonly tank: GasTankItem;
  readonly filling: NonNullable<GasTankItem['filling']>;
  /** Whether the sent deposit is in the tank. */
  readonly hasArrived: boolean;
  readonly onSent: () => void;
};

/** The call that fills this tank, sent from a wallet here or from anywhere else. */
export function DepositForm({ tank, filling, hasArrived, onSent }: DepositFormProps) {
  const [amount, setAmount] = useState('');
  const isAmount = /^\d+(\.\d{1,18})?$/.test(amount) && parseEther(amount) > 0n;
  const onlyFrom = filling.from === 'funding-wallet' ? (tank.fundingWallet as Address | undefined) : undefined;
  const deposit = useMutation({
    mutationFn: async (wallet: Wallet) => {
      const { sendCall } = await import('../../wallet/wallet-client.ts');
      return sendCall(wallet, {
        chainId: tank.chainId,
        to: filling.to as Address,
        data: filling.data as Hex,
        value: parseEther(amount),
        from: onlyFrom,
      });
    },
    onSuccess: onSent,
  });
  return (
    <div className="form">
      <TextInput
        label={`Amount in ${coinName(tank.chainId)}`}
        placeholder="0.1"
        value={amount}
        onChange={setAmount}
        hint={
          onlyFrom === undefined
            ? 'Any wallet can send it. It fills your tank.'
            : 'Only direct deposits of the funding wallet to this contract fill your tank.'
        }
      />
      <WalletList
        action="Deposit with"
        isPrimary
        isPending={deposit.isPending || !isAmount}
        onChoose={(wallet) => deposit.mutate(wallet)}
      />
      {deposit.isPending ? <p role="status">Confirm in your wallet …</p> : null}
      <Problem error={walletProblem(deposit.error)} />
      <div role="status">
        {deposit.data === undefined ? null : (
          <Notice kind="good">
            <p>
              Sent in transaction <Short hex={deposit.data} />.{' '}
              {hasArrived ? 'The tank has received it.' : 'The tank receives it once the chain has confirmed it.'}
            </p>
          </Notice>
        )}
      </div>
      <FromPhone tank={tank} filling={filling} />
      <details>
        <summary>Send it another way</summary>
        <div className="details-body">
          <Facts
            facts={[
              ['To', <Value key="to" text={filling.to} what="address to pay to" />],
              ['Call', <code key="call">{filling.call}</code>],
              ['Data', <Value key="data" text={filling.data} what="call data" />],
              ['Value', 'the amount to deposit'],
              [
                'Sent by',
                filling.from === 'anybody' ? 'any wallet' : `the funding wallet itself, ${tank.fundingWallet}`,
              ],
            ]}
          />
        </div>
      </details>
    </div>
  );
}

/**
 * An address to pay coin to from a phone, as a QR code (EIP-681). A transfer fills a tank only where no call is needed:
 * elsewhere it is the funding wallet, which deposits afterwards.
 */
function FromPhone({ tank, filling }: Pick<DepositFormProps, 'tank' | 'filling'>) {
  const isTransfer = filling.data === '0x';
  const address = isTransfer ? filling.to : tank.fundingWallet;
  if (address === undefined) return null;
  return (
    <details>
      <summary>{isTransfer ? 'Scan to send from a phone' : 'Scan to fill the funding wallet first'}</summary>
      <div className="details-body stack">
        <QrCode text={`ethereum:${address}@${tank.chainId}`} what={`address ${address}`} />
        <p className="small">
          <code className="hex">{address}</code>
        </p>
        <p className="muted">
          {isTransfer
            ? 'A transfer of the funding wallet to this address fills the tank.'
            : 'Coin sent here is in your wallet, and not yet in the tank: deposit it afterwards.'}
        </p>
      </div>
    </details>
  );
}
