import { hydrate } from './hydrate.tsx';
import './app.css';

// Not awaited: an `await` outside of functions, anywhere in `web/`, keeps the bundler from leaving out of lazy parts what is loaded
// before them.
void hydrate();
