import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { router } from './router.js';
import { Gate } from './session/gate.js';
import { applyTheme } from './shell/theme.js';
import { Toasts } from './ui/toasts.js';
import './styles.css';

applyTheme();

// styles that a script makes carry the number that the policy of the page allows
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined) setNonce(nonce);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element for the console.');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Gate>
        <RouterProvider router={router} />
      </Gate>
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);
