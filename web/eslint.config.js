import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

export default tseslint.config({ ignores: ["dist/", "node_modules/"] }, ...tseslint.configs.recommended, {
  plugins: { "react-hooks": hooks },
  rules: {
    "react-hooks/rules-of-hooks": "error",
    "react-hooks/exhaustive-deps": "error",
    "max-lines": ["error", 300],
    eqeqeq: "error",
    "no-restricted-properties": [
      "error",
      { property: "innerHTML", message: "Render text as text." },
      { property: "dangerouslySetInnerHTML", message: "Render text as text." },
    ],
  },
});
