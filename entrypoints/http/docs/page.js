// No validator: its badge would send this page's address to a service elsewhere.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
