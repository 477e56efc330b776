import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { Notice } from '../parts/notice.tsx';

/** A banner for read-only users: that they cannot change anything, and who can help. */
export function WhatYouMay() {
  const { data: session } = useQuery(sessionQuery);
  if (!session || session.scopes.includes('manage')) return null;
  return (
    <div className="page">
      <Notice>
        {session.role === undefined ? (
          'Your authToken is read-only.'
        ) : (
          <>
            You are a viewer of this account: you can read everything but change nothing. An owner among its{' '}
            <Link to="/members">members</Link> can give you another role.
          </>
        )}
      </Notice>
    </div>
  );
}
