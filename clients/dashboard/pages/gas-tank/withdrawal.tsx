import { useMutation } from '@tanstack/react-query';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { useState } from 'react';
import { type Address, encodeFunctionData, type Hex, parseAbi, parseEther } from 'viem';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Facts } from '../../parts/facts.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { Coin } from '../../parts/usd.tsx';
import { Short, Value } from '../../parts/value.tsx';
import { WalletList } from '../../wallet/wallet-list.tsx';
import { type Wallet, walletProblem } from '../../wallet/wallets.ts';

/** Contracts with a balance per funding wallet, and their withdrawal functions. */
const functions = {
  atOnce: parseAbi(['function withdrawTo(address payable withdrawAddress, uint256 amount)']),
  request: parseAbi(['function submitWithdrawalRequest(address withdrawAddress, uint256 amount)']),
  execute: parseAbi(['function executeWithdrawalRequest(address paymasterId)']),
} as const;

/** How to withdraw from the tank, which depends on the paymaster contract. */
export function Withdrawal({ tank }: { readonly tank: GasTankItem }) {
  const { contract } = usePaymaster();
  const { fundingWallet, available, held, filling } = tank;
  if (fundingWallet === undefined) return <Notice>There is no funding wallet, so nothing can be withdrawn.</Notice>;
  return (
    <div className="form">
      <Facts
        facts={[
          ['Available', <Coin key="available" wei={available} />],
          ['Held', <Coin key="held" wei={held} />],
          ['Funding wallet', <Value key="wallet" text={fundingWallet} what="funding wallet" />],
        ]}
      />
      {filling?.to === tank.contract ? (
        <FromBalance
          tank={tank}
          wallet={fundingWallet}
          isInTwoSteps={contract?.family === 'biconomy-sponsorship-0.7'}
        />
      ) : (
        <Notice>
          <p>This contract keeps one deposit for all its tanks, and only its owner, the operator, can take from it.</p>
          <p>
            Ask the operator to pay you back. They take it out with <code>tollfree paymaster-contract withdraw</code>{' '}
            and book it with <code>tollfree tank debit</code>. Pause the paymaster first, so that nothing is spent
            meanwhile.
          </p>
        </Notice>
      )}
    </div>
  );
}

type FromBalanceProps = { readonly tank: GasTankItem; readonly wallet: string; readonly isInTwoSteps: boolean };

function FromBalance({ tank, wallet, isInTwoSteps }: FromBalanceProps) {
  const [amount, setAmount] = useState('');
  const isAmount = /^\d+(\.\d{1,18})?$/.test(amount) && parseEther(amount) > 0n;
  const send = useMutation({
    mutationFn: async ({ chosen, data }: { readonly chosen: Wallet; readonly data: Hex }) => {
      const { sendCall } = await import('../../wallet/wallet-client.ts');
      const { chainId, contract } = tank;
      return sendCall(chosen, { chainId, to: contract as Address, data, value: 0n, from: wallet as Address });
    },
  });
  const take = (chosen: Wallet) => {
    const args = [wallet as Address, parseEther(amount)] as const;
    const data = isInTwoSteps
      ? encodeFunctionData({ abi: functions.request, args })
      : encodeFunctionData({ abi: functions.atOnce, args });
    send.mutate({ chosen, data });
  };
  return (
    <>
      <Notice kind="warn">
        What is held for signatures has to stay, or no one pays for their operations. The service notices a withdrawal
        once the chain has confirmed it.
      </Notice>
      <TextInput label={`Amount in ${coinName(tank.chainId)}`} placeholder="0.1" value={amount} onChange={setAmount} />
      <WalletList
        action={isInTwoSteps ? 'Request it with' : 'Withdraw with'}
        isPrimary
        isPending={send.isPending || !isAmount}
        onChoose={take}
      />
      {isInTwoSteps ? (
        <>
          <p className="muted">
            The contract pays a request some time later, when the wallet asks for it a second time.
          </p>
          <WalletList
            action="Receive what was requested with"
            isPending={send.isPending}
            onChoose={(chosen) =>
              send.mutate({
                chosen,
                data: encodeFunctionData({ abi: functions.execute, args: [wallet as Address] }),
              })
            }
          />
        </>
      ) : null}
      <Problem error={walletProblem(send.error)} />
      <div role="status">
        {send.data === undefined ? null : (
          <Notice kind="good">
            Sent in transaction <Short hex={send.data} />.
          </Notice>
        )}
      </div>
    </>
  );
}
