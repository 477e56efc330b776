import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { Notice } from '../parts/notice.tsx';

/** Above all pages for who can change nothing: that it is so, and who can help. */
export function WhatYouMay() {
  const { data: session } = useQuery(sessionQuery);
  if (!session || session.scopes.includes('manage')) return null;
  return (
    <div className="page">
      <Notice>
        {session.role === undefined ? (
          'The authToken that you signed in with may look and change nothing.'
        ) : (
          <>
            You are a viewer of this account: you can look at everything, and change nothing. An owner among its{' '}
            <Link to="/members">members</Link> can give you another role.
          </>
        )}
      </Notice>
    </div>
  );
}
