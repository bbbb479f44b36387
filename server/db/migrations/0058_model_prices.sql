-- Prices that operators set, each from a day on (decision 129). A model without a row costs what the program says.
CREATE TABLE model_prices (
  model text NOT NULL,
  from_day date NOT NULL,
  cost integer NOT NULL,
  CONSTRAINT model_prices_pkey PRIMARY KEY (model, from_day),
  CONSTRAINT model_prices_cost CHECK (cost > 0)
);
DROP INDEX billing.audit_models;
CREATE INDEX audit_models ON billing.audit (id) WHERE act IN ('pause_model', 'resume_model', 'set_price', 'withdraw_price');
