import { Navigate } from 'react-router';

export default function UnknownPage() {
  return <Navigate to="/zh" replace />;
}
