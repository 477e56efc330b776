import { useMutation } from '@tanstack/react-query';
import type { GasTankItem } from '@tollfree/contract/gas-tank';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.tsx';
import { Coin } from '../../parts/usd.tsx';
import { Value } from '../../parts/value.tsx';
import { WalletList } from '../../wallet/wallet-list.tsx';
import { type Wallet, walletProblem } from '../../wallet/wallets.ts';

/** The wallet that fills the tank, and how to change it. */
export function FundingWallet({ tank }: { readonly tank: GasTankItem }) {
  const { fundingWallet, contract, chainDeposit } = tank;
  const paymaster = usePaymaster();
  const headers = headersOf(paymaster);
  const set = useMutation({
    mutationFn: async (wallet: Wallet) => {
      const { connectWallet } = await import('../../wallet/wallet-client.ts');
      const { address, sign } = await connectWallet(wallet);
      const { paymasterId } = paymaster;
      const { fundingMessage } = await routes.funding.createMessage({ headers, params: { paymasterId } });
      const signature = await sign(fundingMessage);
      const body = { paymasterId, type: 'paymasterFundingId', signature, address } as const;
      return routes.funding.setWallet({ headers, body });
    },
    onSuccess: () => toast('The funding wallet is set.'),
  });
  return (
    <Card
      title="Funding wallet"
      lead={
        fundingWallet === undefined
          ? 'Not set, so nothing can be signed. The wallet signs a message to prove that it is yours.'
          : 'Each wallet has its own tank. The balance of this one stays with its wallet.'
      }
    >
      <Facts
        facts={[
          fundingWallet === undefined
            ? undefined
            : ['Wallet', <Value key="wallet" text={fundingWallet} what="funding wallet" />],
          ['Paymaster contract', <Value key="contract" text={contract} what="paymaster contract" />],
          chainDeposit === undefined
            ? undefined
            : ['Contract’s whole deposit', <Coin key="deposit" wei={chainDeposit} />],
        ]}
      />
      <WalletList
        action={fundingWallet === undefined ? 'Set to an account of' : 'Change to an account of'}
        needs={['funds']}
        isPending={set.isPending}
        onChoose={(wallet) => set.mutate(wallet)}
      />
      {set.isPending ? <p role="status">Sign the message in your wallet …</p> : null}
      <Problem error={walletProblem(set.error)} />
    </Card>
  );
}
