import { Navigate } from 'react-router';

export default function StartPage() {
  return <Navigate to="/zh" replace />;
}
