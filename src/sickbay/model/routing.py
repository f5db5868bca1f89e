"""Azure resources that decide where traffic goes: routes, peerings, gateways, firewalls."""
