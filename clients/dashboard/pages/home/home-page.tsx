import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { paymastersQuery } from '../../api/paymasters.ts';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { chainName } from '../../parts/text/chain-name.ts';
import { Checklist } from './checklist.tsx';
import { Invitations } from './invitations.tsx';
import { PaymasterSummary } from './paymaster-summary.tsx';

/** From nothing to a first sponsored operation, and how a paymaster does. */
export function HomePage() {
  const paymasters = useQuery(paymastersQuery);
  const [chosen, setChosen] = useState<string>();
  return (
    <Page title="Home" lead="Setup progress and the state of your paymasters.">
      <Invitations />
      <Loaded query={paymasters}>
        {(list) => {
          const paymaster = list.find(({ paymasterId }) => paymasterId === chosen) ?? list[0];
          return (
            <>
              {paymaster === undefined || list.length < 2 ? null : (
                <Choice
                  label="Paymaster"
                  value={paymaster.paymasterId}
                  onChange={setChosen}
                  options={list.map(({ paymasterId, name, chainId }) => ({
                    value: paymasterId,
                    text: `${name}, ${chainName(chainId)}`,
                  }))}
                />
              )}
              {paymaster === undefined ? (
                <Card title="Start here" lead="A paymaster pays the gas of one application on one chain.">
                  <p>
                    <Link to="/paymasters" className="button primary">
                      Create your first paymaster
                    </Link>
                  </p>
                </Card>
              ) : (
                // Two siblings with one key would be kept when another paymaster is chosen.
                <Fragment key={paymaster.paymasterId}>
                  <PaymasterSummary paymaster={paymaster} />
                  <Checklist paymaster={paymaster} />
                </Fragment>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
